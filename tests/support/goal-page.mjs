// The page of goals as it is served: src/core/tools/server/goal_page/page.html with its parts, as leanbridge_embed() joins them.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './bridge.mjs';

const read = name => fs.readFileSync(path.join(root, 'src/core/tools/server/goal_page', name), 'utf8');

export const HTML = read('page.html').replace(/^\{\{([a-z_]+\.[a-z]+)\}\}\n/gm, (_mark, name) => read(name));

/** The colours of texts against what is behind them, as far as they fall below the contrast of WCAG AA. */
export const LOW_CONTRAST = `(() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => { const [x, y, z] = [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * x + 0.7152 * y + 0.0722 * z; };
  const behind = element => { for (let at = element; at; at = at.parentElement) { const colour = parts(getComputedStyle(at).backgroundColor); if (colour[3] !== 0) return colour; } return parts(getComputedStyle(document.body).backgroundColor); };
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()) || !element.checkVisibility()) continue;
    const [one, other] = [light(parts(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) low.push(element.className + ' ' + element.textContent.slice(0, 30) + ': ' + contrast.toFixed(2));
  }
  return low;
})()`;
