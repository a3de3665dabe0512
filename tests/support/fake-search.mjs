// The search services, on this machine, for end-to-end tests: each at its own path, with the delay, status and body that a
// test sets. By default each finds nothing.
//
//   const search = await fakeSearch({ loogle: { delay: 50, body: { count: 1, hits: [...] } } });
//   spawn(bridge, { env: { ...process.env, ...search.environment } });
//   search.services.loogle.status = 503;        // from the next request on
//   search.requests.filter(r => r.service === "loogle")
//   await search.close();

import { createServer } from "node:http";

const SERVICES = {
  leansearch: { path: "/leansearch/search", variable: "LEANSEARCH_URL", body: [[]] },
  loogle: { path: "/loogle/json", variable: "LOOGLE_URL", body: { header: "", heartbeats: 1, count: 0, hits: [] } },
  leanexplore: { path: "/leanexplore/api/v2", variable: "LEANEXPLORE_URL", body: { query: "", results: [], count: 0, processing_time_ms: 1 } },
  leanfinder: { path: "/leanfinder", variable: "LEAN_FINDER_URL", body: { results: [] } },
  state_search: { path: "/state/api/search", variable: "LEAN_STATE_SEARCH_URL", body: [] },
  hammer: { path: "/hammer/retrieve", variable: "LEAN_HAMMER_URL", body: [] },
};

/**
 * `settings`: by service, any of { delay (ms), status, headers, body (text, or anything for JSON, or a function of the
 * request that returns one of them), hang (never answers) }.
 */
export async function fakeSearch(settings = {}) {
  const services = {};
  for (const [name, { body }] of Object.entries(SERVICES))
    services[name] = { delay: 0, status: 200, headers: {}, hang: false, body, ...settings[name] };
  for (const name of Object.keys(settings)) if (!SERVICES[name]) throw new Error(`no search service is called ${name}`);
  const requests = [];

  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", chunk => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url, "http://127.0.0.1");
      const name = Object.keys(SERVICES).find(key => url.pathname === SERVICES[key].path || url.pathname.startsWith(`${SERVICES[key].path}/`));
      const body = Buffer.concat(chunks).toString();
      const seen = { service: name, method: request.method, path: url.pathname, query: Object.fromEntries(url.searchParams), headers: request.headers, body };
      requests.push(seen);
      if (!name) return response.writeHead(404).end();
      const service = services[name];
      if (service.hang) return;
      setTimeout(() => {
        const answer = typeof service.body === "function" ? service.body(seen) : service.body;
        response.writeHead(service.status, { "content-type": "application/json", ...service.headers });
        response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
      }, service.delay);
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    url: origin,
    services,
    requests,
    // The network is off too, so only these can be asked.
    environment: {
      LEANBRIDGE_OFFLINE: "1",
      ...Object.fromEntries(Object.values(SERVICES).map(({ path, variable }) => [variable, origin + path])),
    },
    close: () => new Promise(resolve => { server.close(resolve); server.closeAllConnections(); }),
  };
}
