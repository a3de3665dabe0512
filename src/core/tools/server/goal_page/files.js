// --- the project's files, in a list from which another one is opened

const MAX_FILES_SHOWN = 200;
const AGES = [[60, 'now'], [3600, 'min', 60], [86_400, 'h', 3600], [Infinity, 'd', 86_400]];

/** How long ago something was, in a few letters. */
function ageOf(seconds) {
  const [, unit, length] = AGES.find(([limit]) => seconds < limit) ?? AGES[0];
  return length ? `${Math.floor(seconds / length)} ${unit}` : unit;
}

/**
 * The files whose paths or modules have every word of `asked`, those with errors first, then those with sorries, then those that have changed last:
 * [{file, age_s, errors, sorries}]. `known(file)`: what the page has seen of a file, {errors, sorries, at: ms}; it holds until the file changes.
 * `now`: ms, when the ages were told.
 */
function filesFor(files, known, asked, now) {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = file => { const path = file.toLowerCase(), module = path.replace(/\.lean$/, '').replaceAll('/', '.'); return words.every(word => path.includes(word) || module.includes(word)); };
  const importance = ({ errors, sorries }) => (errors ? 0 : sorries ? 1 : 2);
  return files.filter(({ file }) => fits(file)).map(({ file, age_s }) => {
    const seen = known(file), { errors = 0, sorries = 0 } = seen && seen.at >= now - 1000 * age_s ? seen : {};
    return { file, age_s, errors, sorries };
  }).sort((one, other) => importance(one) - importance(other) || one.age_s - other.age_s || (one.file < other.file ? -1 : 1));
}

/** The dialog. `known(project, file)` as above; `current(project)` is the file that is shown, if it is of that project; `open(file)` opens another one. Returns what opens the dialog. */
function startFiles(window, { known, current, open, now = Date.now }) {
  const { document } = window, dialog = document.getElementById('files'), search = document.getElementById('files-search'), box = document.getElementById('files-list'), said = document.getElementById('files-said');
  const make = makerOf(document);
  let answer = { files: [] }, told = 0, shown = [], at = 0, turn = 0;

  const select = place => {
    at = Math.min(Math.max(0, place), shown.length - 1);
    for (const [index, row] of [...box.children].entries()) row.setAttribute('aria-selected', String(index === at));
    if (shown.length) search.setAttribute('aria-activedescendant', `file-${at}`); else search.removeAttribute('aria-activedescendant');
    box.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const choose = each => {
    dialog.close();
    if (each && each.file !== current(answer.project)) open(each.file);
  };
  const draw = () => {
    const found = filesFor(answer.files, file => known(answer.project, file), search.value, told);
    shown = found.slice(0, MAX_FILES_SHOWN);
    box.replaceChildren(...shown.map((each, index) => {
      const { file, age_s: age, errors, sorries } = each, folder = file.slice(0, file.lastIndexOf('/') + 1), isHere = file === current(answer.project);
      const state = [errors ? counted(errors, 'error') : '', sorries ? (sorries === 1 ? '1 sorry' : `${sorries} sorries`) : ''].filter(Boolean).join(', ');
      const row = make('li', '', make('code', '', make('bdi', '', make('span', 'quiet', folder), file.slice(folder.length))), make('span', errors ? 'bad' : 'warn', state), make('span', 'quiet', isHere ? 'shown' : ageOf(age)));
      row.id = `file-${index}`;
      row.setAttribute('role', 'option');
      row.addEventListener('click', () => choose(each));
      return row;
    }));
    said.textContent = answer.error ?? (found.length === 0 ? 'No file has that in its path.' : `${counted(found.length, 'file')} of ${text(answer.project).replace(/.*\//s, '')}${found.length > shown.length ? `, of which the first ${shown.length} are listed` : ''}${answer.is_cut ? '; the project has more' : ''}`);
    said.className = answer.error ? 'bad' : 'quiet';
    // The file that is shown needs no opening: Enter opens the next one.
    select(shown.length > 1 && shown[0].file === current(answer.project) ? 1 : 0);
  };
  const load = async () => {
    const own = ++turn;
    let loaded;
    try {
      const response = await window.fetch('files', { cache: 'no-store' });
      if (!response.ok) throw new Error(await response.text());
      const result = await response.json();
      loaded = answerOf(result) ?? { files: [], error: viewOf(result).status };
    } catch (error) {
      loaded = { files: [], error: `The files cannot be listed: ${error.message}` };
    }
    if (own !== turn) return;
    [answer, told] = [loaded, now()];
    draw();
  };
  search.addEventListener('input', draw);
  search.addEventListener('keydown', event => {
    const page = 10, to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page }[event.key];
    if (event.key === 'Enter' && !event.isComposing) choose(shown[at]);
    else if (to !== undefined) select(to);
    else return;
    event.preventDefault();
  });
  return () => {
    search.value = '';
    said.textContent = 'Looking for the files.';
    box.replaceChildren();
    shown = [];
    dialog.showModal();
    search.focus();
    load();
  };
}
