// --- what a person must read to know what a theorem states: the page of lean_certify

/** Shows lines in the dialog, of which `.here` is scrolled to. */
function peekAt(document, title, ...parts) {
  const peek = document.getElementById('peek');
  document.getElementById('peek-title').textContent = title;
  document.getElementById('peek-text').replaceChildren(...parts);
  if (!peek.open) peek.showModal();
  peek.querySelector('.here')?.scrollIntoView({ block: 'center' });
}

/** Asks what the declaration around the line states. `ask` as for placeDetails(); `file` is its path. */
async function showStatement(document, ask, file, line) {
  const proofs = list(answerOf(await ask('lean_document_proofs', {}))?.proofs);
  const name = text(proofs.findLast(({ start_line: first, end_line: last }) => first <= line && line <= last)?.declaration);
  if (!name) return peekAt(document, 'No statement', 'This line is in no theorem.');
  peekAt(document, `What ${name} states`, 'Lean compiles the file.');
  // The file as a challenge to itself: no verdict is asked for, and none is shown.
  const result = await ask('lean_certify', { challenge_file: file, names: [name], page: true, without_replay: true, verbose: true });
  const { page_text: page } = answerOf(result) ?? {}, { status, long = '' } = viewOf(result);
  if (document.getElementById('peek').open) peekAt(document, `What ${name} states`, page ? text(page) : `${status} ${long}`.replace('The challenge: ', '').trim());
}
