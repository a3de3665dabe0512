// --- the open work of the project and the end of its record: `leanbridge view --watch` tells of them (src/desk/view/open_work.hpp)

const UNFINISHED = { error: 'fails', elaborating: 'not finished', not_reached: 'an import fails', unknown: 'not compiled' };
const DEEDS = { claimed: ['claimed', 'open'], wrote: ['wrote', 'good'], refused: ['was refused', 'warn'], released: ['released', 'quiet'] };
const partOf = (shown, all) => (shown.length < all ? `${shown.length.toLocaleString('en')} of ${all.toLocaleString('en')}` : all.toLocaleString('en'));

/** A time of today without its day. */
function whenOf(at, now = new Date()) {
  if (Number.isNaN(at.getTime())) return '';
  return at.toDateString() === now.toDateString() ? clock(at) : `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')} ${clock(at)}`;
}

/** What is to be said of an open place, in words: [[words, tone]]. */
function factsOf({ ready, state, needs, waiting, approved, holder, why, since }) {
  return [
    ready ? ['ready', 'good'] : [`waits for ${list(needs).map(text).join(', ')}`, 'quiet'],
    ...(state && state !== 'sorry' ? [[UNFINISHED[state] ?? text(state), state === 'error' ? 'bad' : 'warn']] : []),
    ...(waiting ? [[`${waiting.toLocaleString('en')} wait${waiting === 1 ? 's' : ''} for it`, 'quiet']] : []),
    ...(approved === undefined ? [] : [approved ? ['approved statement', 'quiet'] : ['no longer the approved statement', 'bad']]),
    holder ? [`held by ${text(holder)} since ${whenOf(new Date(since * 1000))}${why ? `: ${text(why)}` : ''}`, 'open'] : ['free', 'quiet'],
  ];
}

/** Draws it, or nothing if nothing is told. `act.open(file, line)` goes to a place. */
function drawOpenWork(document, told, act) {
  const make = makerOf(document);
  const place = at => {
    const [, file, line] = /^(.*):(\d+)$/s.exec(text(at)) ?? [];
    if (!told.openable || file === undefined) return make('code', 'quiet', text(at));
    const button = make('button', 'place', text(at));
    button.dataset.place = at;
    button.addEventListener('click', () => act.open(file, Number(line)));
    return button;
  };
  const item = each => make('li', '', make('code', 'name', text(each.declaration) || 'example'), ' ', place(each.at),
    ...factsOf(each).flatMap(([said, tone], at) => [at ? ' · ' : ' ', make('span', tone, said)]), ...(each.goal ? [make('pre', 'quiet', text(each.goal))] : []));
  const deed = ({ at, who, did, file, declarations, verdict }) => {
    const [said, tone] = DEEDS[did] ?? [text(did), ''];
    return make('li', '', make('span', 'quiet', whenOf(new Date(at))), ' ', text(who), ' ', make('strong', tone, said), ' ', make('code', '', list(declarations).map(text).join(', ')), ' in ', make('code', '', text(file)), verdict ? `: ${text(verdict)}` : '');
  };
  const box = document.getElementById('open-work'), items = list(told?.items), lines = list(told?.record?.lines), focused = document.activeElement?.dataset?.place;
  box.hidden = told?.open === undefined;
  if (box.hidden) return box.replaceChildren();
  const parts = [make('h2', '', `Open work (${partOf(items, told.open)})`), make('p', 'quiet', told.open ? `${told.ready.toLocaleString('en')} ready: all that they use is proved.` : told.partial ? 'Nothing is known to be open.' : 'Nothing is open.')];
  for (const said of list(told.changed_statements)) parts.push(make('p', 'bad', text(said)));
  for (const said of list(told.not_looked_at)) parts.push(make('p', 'warn', text(said)));
  parts.push(make('ol', '', ...items.map(item)));
  if (lines.length) parts.push(make('h2', '', `Record (${lines.length < told.record.all ? 'the last ' : ''}${partOf(lines, told.record.all)})`), make('ol', '', ...lines.map(deed)));
  box.replaceChildren(...parts);
  if (focused) [...box.querySelectorAll('button')].find(each => each.dataset.place === focused)?.focus();
}
