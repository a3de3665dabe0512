// What several agents on one project are promised (docs/together.md).
const folder = 'src/together/';
const claims = `${folder}claims/claims.cpp`, guard = `${folder}claims/claim_guard.cpp`, record = `${folder}claims/record.cpp`;
const todo = `${folder}work/todo.cpp`, survey = `${folder}work/survey.cpp`;
const approvals = `${folder}statements/approvals.cpp`, hook = `${folder}command/hook.cpp`;
const unit = (file, name) => `tests/unit/together/${file}_test.cpp "${name}"`;
const e2e = name => `tests/e2e/together.test.mjs "${name}"`;

const kinds = {
  claims: [
    ['claim-not-refused', 'a write of what another client holds is not refused', guard, 'if (!each.holder.is(self)) return refusal(each);', '', unit('claim_guard', 'what another client holds is not written, and what nobody holds is'), /!\(refused\)/],
    ['claim-refuses-neighbours', 'a claim holds the whole file', guard, 'if (!is_here(each) || std::ranges::find(changed, each.declaration) == changed.end()) continue;', 'if (!is_here(each)) continue;', unit('claim_guard', 'what another client holds is not written, and what nobody holds is'), /write_as/],
    ['claim-without-end', 'a claim has no end', claims, 'const bool holds = claim.until > now_() && claim.until <= now_() + kClaimSeconds;', 'const bool holds = true;', unit('claims', 'a claim ends after 30 minutes without work on it'), /names\(\)/],
    ['claim-not-renewed', 'work does not renew a claim', guard, 'if (const auto renewed = claims->take(each); !renewed) log::warn("claims: {}", renewed.error().message);', '', unit('claim_guard', 'a write of its holder renews a claim, and one beside it does not'), /until/],
    ['claim-comes-back', 'a claim that has ended meanwhile is renewed', claims, 'if (found == claims.end() && was_held) return wanted;', '', unit('claims', 'one that has ended while its holder worked does not come back'), /names\(\)/],
    ['claim-of-the-dead', 'the claims of a dead process hold', claims, 'if (holds && !claim.declaration.empty() && is_alive(claim.holder)) claims', 'if (holds && !claim.declaration.empty()) claims', unit('claims', 'the claims of a dead process end, also if its id is used again'), /names\(\)|take/],
    ['claim-of-a-gone-client', 'the claims of a client that has gone hold', guard, 'return client.is(holder(0, ""));', 'return false;', unit('claim_guard', 'what a client holds is free when it has gone'), /take/],
    ['claim-left-behind', 'a claim that is taken while its client goes holds', `${folder}tools/lean_claim.cpp`, 'write_scope());', 'call->scope);', unit('claim_guard', 'what is taken while its client goes is ended with the last of its calls'), /loop\.run|held\(\)/],
    ['claim-released-by-others', 'a client releases what others hold', guard, 'return is_meant && each.holder.is(holder);', 'return is_meant;', unit('claim_guard', 'only its holder releases a claim'), /release/],
    ['claim-without-lock', 'claims are changed without a lock', 'src/core/base/files.cpp', 'while (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {', 'while (false) {', unit('claims', 'of many that take one at the same time, one gets it'), /got == 3/],
  ],
  'the record of claims': [
    ['record-without-bound', 'the record grows without end', record, 'if (lock && fs::file_size(file, missing) > most && !missing) {', 'if (lock && fs::file_size(file, missing) > most && missing) {', unit('record', 'of a record that is too long the older half goes'), /longest < kMost/],
    ['record-always-on', '--no-record keeps a record', guard, 'folder && keeps_record_)', 'folder)', unit('claim_guard', 'who has claimed, written and released what, and what was refused, is recorded'), /size\(\) == count/],
    ['record-of-no-refusals', 'a refused write leaves no line', guard, 'if (!why.empty()) record_write(write, Deed::Refused, why);', '', unit('claim_guard', 'who has claimed, written and released what, and what was refused, is recorded'), /refused N\.a/],
  ],
  'the open work': [
    ['todo-order', 'ready ones do not come first', todo, 'return std::tuple(!a.ready, b.waiting) < std::tuple(!b.ready, a.waiting);', 'return b.waiting < a.waiting;', unit('todo', 'ready ones come first, and of these the ones for which most wait'), /rows\(todo\)/],
    ['todo-all-ready', 'what rests on an open one is ready', todo, 'open->second.ready = false;', '', unit('todo', 'ready ones come first, and of these the ones for which most wait'), /rows\(todo\)/],
    ['todo-silent-about-files', 'a file that was not looked at is not named', todo, 'if (!file.unread.empty()) todo.not_looked_at.push_back(file.name + ": " + file.unread);', '', unit('todo', 'what was not looked at is named'), /partial|not_looked_at/],
    ['todo-stale-modules', 'a compiled module older than its source is believed', survey, 'if (lean::identify(file.olean).modified_ns < latest) file.olean.clear();', '', unit('todo', 'a compiled module tells what is proved, until a source is newer'), /Unknown/],
    ['todo-hidden-sorry', 'only a sorry of the declaration itself counts, none of what Lean made for it', survey, 'while (!places.contains(prefix) && !prefix.empty())', 'while (false)', unit('todo', 'a compiled module tells what is proved, until a source is newer'), /states\(\) == expected/],
    ['todo-too-long', 'an answer has no bound', todo, 'for (; bytes > most_bytes && !todo.items.empty(); todo.items.pop_back())', 'for (; false; todo.items.pop_back())', unit('todo', '40 open places take at most 4,000 bytes, and no more than must is left out'), /bytes\(\) <= 1000/],
  ],
  'approved statements': [
    ['approved-restated', 'an approved statement may be restated', approvals, 'if (each.declaration == name && (is_restated || change.change == Change::Revalued))', 'if (false)', [unit('approvals', 'a change of a statement, or of what it means, touches it'), e2e('no tool changes one, also if the caller allows it; a proof of it is written')], /touched_by|written|true|reason/],
    ['approved-means', 'what an approved statement means may change', approvals, 'else if (is_other && std::ranges::any_of(each.means, is_part))', 'else if (is_other && each.means.empty() && std::ranges::any_of(each.means, is_part))', unit('approvals', 'a change of a statement, or of what it means, touches it'), /touched_by/],
    ['approved-proofs', 'a proof of an approved statement is refused', approvals, 'const bool is_restated = change.change == Change::Restated ||', 'const bool is_restated = change.change == Change::Restated || change.change == Change::Reproved ||', unit('approvals', 'a proof, white space, a neighbour and a move touch nothing'), /touched_by/],
    ['approved-damaged', 'a damaged list of approvals approves nothing', guard, 'if (!approvals) return approvals.error().message + " " + approvals.error().hint;', 'if (!approvals) return "";', unit('claim_guard', 'what changes an approved statement is not written, and a proof is'), /write_as/],
    ['approved-other-now', 'lean_todo does not compare fingerprints', todo, 'const bool is_same = is_known && found->second->sha256 == then.sha256;', 'const bool is_same = is_known;', unit('todo', 'an approved statement that is another one now is named, and one that is not known'), /approved == false|changed_statements/],
    ['approved-unknown', 'a statement that is not compiled is not named', todo, '    if (!is_known)\n      not_looked_at', '    if (false)\n      not_looked_at', [unit('todo', 'an approved statement that is another one now is named, and one that is not known'), e2e('diff refuses another one, by the approvals of the commit; check says which it does not know')], /not_looked_at|not compiled|1/],
    ['approved-diff', 'diff does not ask for objections', 'src/certify/command/diff.cpp', 'report.objections.insert(report.objections.end(), found.begin(), found.end());', '', e2e('diff refuses another one, by the approvals of the commit; check says which it does not know'), /0 !== 1|code/],
    ['approved-diff-working-tree', 'diff believes the approvals of the working tree', `${folder}together_part.cpp`, 'const auto approved = co_await together::approvals_in(root, commit, scope);', 'const auto approved = together::approvals_of(commit.empty() || scope.cancel->cancelled() ? "" : root);', e2e('diff refuses another one, by the approvals of the commit; check says which it does not know'), /0 !== 1|code/],
  ],
  'the hook for git': [
    ['hook-sorry', 'a sorry in what was proved is fine', approvals, 'each.sorries_before == 0 && each.sorries_after > 0)', 'false)', unit('commit', 'a sorry in what was proved is refused, and one in what is new or open is not'), /refused\.size\(\) == 1/],
    ['hook-work', 'a sorry in what is open is refused', approvals, 'each.change != text::Change::Added && each.sorries_before == 0', 'each.change != text::Change::Added', unit('commit', 'a sorry in what was proved is refused, and one in what is new or open is not'), /refused\.empty\(\)/],
    ['hook-axiom', 'a new axiom is fine', approvals, 'for (const text::NewGap& each : changes.new_axioms)', 'for (const text::NewGap& each : std::vector<text::NewGap>())', unit('commit', 'a new axiom is refused'), /refused\.size\(\) == 1/],
    ['hook-approval', 'an approval may be removed', approvals, 'if (std::ranges::find(after, each) == after.end())', 'if (false)', unit('commit', 'an approved statement, and the approval itself, are kept'), /refused\.size\(\) == 1/],
    ['hook-macro', 'a macro is called fine', approvals, 'if (!approved.empty() || may_rewrite(each.text))', 'if (!approved.empty() || (false && may_rewrite(each.text)))', unit('commit', 'what words cannot decide is not called fine'), /undecided\.empty\(\)/],
    ['hook-working-tree', 'the working tree is judged', hook, 'certify::ChangeQuestion question{root, *head, index};', 'certify::ChangeQuestion question{root, *head, {}};', e2e('the index is judged, not the working tree, and a renamed file is followed'), /0 !== 1|1/],
    ['hook-own-approvals', 'a commit brings its own approvals', hook, 'co_await together::approvals_in(root, *head, scope));', 'co_await together::approvals_in(root, index, scope));', e2e('approvals are those of HEAD: a commit cannot bring its own'), /statement of a|code|1/],
  ],
  'memory of builds': [
    ['build-without-bound', 'a build starts as many Leans as there are cores', 'src/core/ide/lake_build.cpp', 'if (capacity.free_bytes <= 0 || fit >= capacity.cores) return "";', 'if (capacity.free_bytes != 1) return "";', 'tests/unit/core/ide/lake_build_test.cpp "while memory is short, Lake starts no more Leans than fit, and says so"', /threads\(8/],
  ],
};

export default Object.entries(kinds).flatMap(([of, mutants]) => mutants.map(([name, takes, file, find, put, test, says]) =>
  ({ name, of, takes, patch: [{ file, find, put }], test, says })));
