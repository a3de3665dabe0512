// A node test reporter for scripts/mutate: a line of JSON for each test, with the message of its assertion.
// Tests append the recent output of the bridge, which `says` must not match.
const withoutLog = message => message.split(/\n\s*\[[^\]\n]* pid \d+\]/)[0];

export default async function* mutantReporter(source) {
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue;
    const error = data.details?.error;
    const cause = error?.cause ?? error;
    const result = { name: data.name, skipped: data.skip !== undefined };
    if (type === 'test:fail') Object.assign(result, { kind: error?.failureType ?? 'failed', assertion: cause?.code === 'ERR_ASSERTION', message: withoutLog(String(cause?.message ?? cause)) });
    yield `\n@mutant ${JSON.stringify(result)}\n`;
  }
}
