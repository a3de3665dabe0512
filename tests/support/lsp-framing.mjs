// Content-Length framing as LSP uses it. It knows nothing about LSP methods.

/** One message as bytes for the wire. */
export function encode(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/**
 * Splits a byte stream into messages. Strict on purpose: anything that is not a header is reported to `onGarbage`
 * and ends decoding, because a peer that resynchronises silently would hide a framing bug of the bridge.
 */
export class Decoder {
  #buffer = Buffer.alloc(0);
  #broken = false;

  constructor(onMessage, onGarbage = bytes => { throw new Error(`not an LSP header: ${bytes.toString().slice(0, 200)}`); }) {
    this.onMessage = onMessage;
    this.onGarbage = onGarbage;
  }

  push(chunk) {
    if (this.#broken) return;
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const header = this.#buffer.subarray(0, end).toString('latin1');
      const length = /^content-length: *(\d+)$/im.exec(header);
      if (!length) {
        this.#broken = true;
        this.onGarbage(this.#buffer);
        return;
      }
      const start = end + 4;
      const stop = start + Number(length[1]);
      if (this.#buffer.length < stop) return;
      const body = this.#buffer.subarray(start, stop).toString('utf8');
      this.#buffer = this.#buffer.subarray(stop);
      this.onMessage(JSON.parse(body));
    }
  }

  /** Bytes received but not yet part of a whole message. */
  get pending() {
    return this.#buffer.length;
  }
}
