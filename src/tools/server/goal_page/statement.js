// --- what a person must read to know what a theorem states: the page of lean_certify

/** Shows lines in the dialog, of which `.here` is scrolled to. */
function peekAt(document, title, ...parts) {
  const peek = document.getElementById('peek');
  document.getElementById('peek-title').textContent = title;
  document.getElementById('peek-text').replaceChildren(...parts);
  if (!peek.open) peek.showModal();
  peek.querySelector('.here')?.scrollIntoView({ block: 'center' });
}

/** certify::to_text() of a page, without what only another program compares. */
function statementText({ theorems, items, library, fingerprint }) {
  // What cannot be seen, or turns text around, would let a name look like another.
  const seen = whole => text(whole).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, each => `\\u{${each.codePointAt(0).toString(16)}}`);
  const line = ({ kind, name, text: whole, place, constructors }) => [`${kind} ${name} ${whole || '(too long to be printed: read it in its source)'}${place ? `    -- ${place.replace(/^Challenge:/, 'line ')}` : ''}`, ...list(constructors).map(each => `  | ${each}`)].map(seen).join('\n');
  const part = (title, belongs) => { const found = list(items).filter(belongs); return found.length ? [title, ...found.map(line), ''] : []; };
  const asked = ({ name }) => list(theorems).includes(name);
  return [
    ...part('-- stated, printed from the compiled terms', asked),
    ...part('-- what that rests on in the project', each => !asked(each) && !each.generated),
    ...part('-- made by Lean, or by programs of the project', each => !asked(each) && each.generated),
    `-- of the library: ${seen(list(library).join(', ')) || 'nothing'}`, '', `-- fingerprint of all this: ${text(fingerprint)}`,
  ].join('\n');
}

/** Asks what the declaration around the line states. `ask` as for placeDetails(); `file` is its path. */
async function showStatement(document, ask, file, line) {
  const proofs = list(answerOf(await ask('lean_document_proofs', {}))?.proofs);
  const name = text(proofs.findLast(({ start_line: first, end_line: last }) => first <= line && line <= last)?.declaration);
  if (!name) return peekAt(document, 'No statement', 'This line is in no theorem.');
  peekAt(document, `What ${name} states`, 'Lean compiles the file.');
  // The file as a challenge to itself: no verdict is asked for, and none is shown.
  const result = await ask('lean_certify', { challenge_file: file, names: [name], page: true, without_replay: true, verbose: true });
  const { page } = answerOf(result) ?? {}, { status, long = '' } = viewOf(result);
  if (document.getElementById('peek').open) peekAt(document, `What ${name} states`, page ? statementText(page) : `${status} ${long}`.replace('The challenge: ', '').trim());
}
