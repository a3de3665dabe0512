// Promise 18: what is said of proofs.
export default [
  {
    name: 'options-unseen',
    of: 'security 18',
    takes: 'an option that is not known to be harmless counts as harmless',
    patch: [{ file: 'src/text/silencers.cpp', find: 'if (word != "set_option" || !is_harmless(option))', put: 'if (word != "set_option")' }],
    test: 'tests/unit/text/silencers_test.cpp "options that may keep Lean silent are found, however they are written"',
    says: /find_silencer/,
    short: true,
  },
  {
    name: 'programs-unseen',
    of: 'security 18',
    takes: 'programs that elaborate are not looked for',
    patch: [{ file: 'src/text/silencers.cpp', find: '!first.any && is_program(at, word)', put: 'false' }],
    test: 'tests/unit/text/silencers_test.cpp "programs that run while Lean elaborates are found"',
    says: /find_silencer/,
  },
  {
    name: 'hidden-sorries-unseen',
    of: 'security 18',
    takes: 'messages always suffice',
    patch: [{ file: 'src/tools/hidden_sorry.cpp', find: 'hidden.messages_suffice = found && !found->silencer;', put: 'hidden.messages_suffice = found.has_value();' }],
    test: 'tests/e2e/differential.test.mjs "what is proved is proved"',
    says: /lean_check_all|lean_document_proofs|lean_multi_attempt|lean_write_proof/,
  },
];
