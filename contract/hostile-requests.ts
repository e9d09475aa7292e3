import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Ways to write a path that a router may take for the same one. */
export const spellings: Readonly<Record<string, (path: string) => string>> = {
  'as it is': (path) => path,
  'in capitals': (path) => path.toUpperCase(),
  'in mixed case': (path) =>
    path.replaceAll(/[a-z]/g, (letter, at: number) =>
      at % 2 === 0 ? letter.toUpperCase() : letter,
    ),
  'with its first part alone in capitals': (path) =>
    path.replace(/^\/[^/]+/, (part) => part.toUpperCase()),
  'with its second part alone in capitals': (path) =>
    path.replace(/(?<=^\/[^/]+)\/[^/]+/, (part) => part.toUpperCase()),
  'percent-encoded': (path) =>
    path.replaceAll(/[a-z_]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'with one letter percent-encoded': (path) => path.replace('s', '%73'),
  'with one letter percent-encoded twice': (path) => path.replace('s', '%2573'),
  'with a broken escape': (path) => `${path}%E0%A4%A`,
  'with encoded slashes': (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  'with double slashes': (path) => path.replaceAll('/', '//'),
  'with two slashes in front': (path) => `/${path}`,
  'with a slash behind': (path) => `${path}/`,
  'with a dot in front': (path) => `/.${path}`,
  'behind a way back': (path) => `/assets/..${path}`,
  'with a way back behind': (path) => `${path}/x/..`,
  'with backslashes': (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  'with a parameter': (path) => path.replace(/^\/[^/]+/, (part) => `${part};x=1`),
  'with a zero byte': (path) => `${path}%00`,
  'in capitals, as a whole address': (path) => `http://192.0.2.7${path.toUpperCase()}`,
  'with the tenant in the query': (path) => `${path.toUpperCase()}?tenant=default`,
  'with a hostile query': (path) => `${path}?__proto__[x]=1&a[]=1&a=2&%F0=%&lang=%00&id=%E0`,
};

/** The methods of HTTP that a client may send to any address, and those of other protocols. */
const sentMethods = 'GET HEAD OPTIONS POST PUT PATCH DELETE TRACE PROPFIND PURGE'.split(' ');

/** Bodies and headers that a route may not expect. A list of values is a header that comes twice. */
const burdens: readonly {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}[] = [
  { headers: { 'content-type': 'application/json' }, body: '{"a":' },
  { headers: { 'content-type': 'application/json' }, body: 'null' },
  { headers: { 'content-type': 'application/json' }, body: '['.repeat(5_000) },
  { headers: { 'content-type': 'application/json' }, body: '{"__proto__":{"x":1},"orderId":{}}' },
  { headers: { 'content-type': 'application/json; charset=x' }, body: '{}' },
  { headers: { 'content-type': 'application/json' }, body: `"${'a'.repeat(300_000)}"` },
  {
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: 'not gzip',
  },
  {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '%F0=%&a[b][c]=1&__proto__=x&=',
  },
  { headers: { 'content-type': 'multipart/form-data; boundary=' }, body: '--' },
  { headers: { 'content-type': ['application/json', 'text/plain'] }, body: '{}' },
  {
    headers: { authorization: ['Bearer a', 'Basic Og=='], cookie: ['a', '%F0=%; =;;'] },
    body: '',
  },
  { headers: { 'x-api-key': ['a', 'b'], 'x-forwarded-for': ['::1', '127.0.0.1'] }, body: '' },
  { headers: { origin: 'null', 'sec-fetch-site': 'cross-site', range: 'bytes=9-1' }, body: '' },
  {
    headers: { 'accept-language': '*;q=x,,', accept: 'text/html;q=2', 'if-none-match': '*' },
    body: '',
  },
];

/** A request as it goes over the wire. */
interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

/** All hostile requests to a route. */
export function requestsTo(method: string, path: string): readonly HostileRequest[] {
  const plain = { method, path, headers: {}, body: '' };
  return [
    ...Object.values(spellings).flatMap((spell, at) => {
      const other = sentMethods[at % sentMethods.length] ?? 'GET';
      const spelled = { ...plain, path: spell(path) };
      return [spelled, { ...spelled, method: other }];
    }),
    ...sentMethods.map((other) => ({ ...plain, method: other })),
    ...burdens.map((burden) => ({ ...plain, ...burden })),
  ];
}

/** An answer, as far as it was read. */
interface HostileAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const LONGEST_READ = 1_000_000;
/** A request without an answer hangs. */
const LIMIT_MS = 60_000;

/** Sends requests over connections that stay open, a few at a time. */
export class HostileClient {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends the path as it is written, which `fetch` would tidy up. */
  async send({ method, path, headers, body }: HostileRequest): Promise<HostileAnswer> {
    const sent = request({
      host: '127.0.0.1',
      port: this.#port,
      agent: this.#agent,
      method,
      path,
      headers: {
        host: `127.0.0.1:${this.#port}`,
        ...headers,
        ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      signal: AbortSignal.timeout(LIMIT_MS),
    }).once('upgrade', (_answer, socket: Socket) => socket.destroy());
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    // A stream of events never ends.
    if (answer.headers['content-type']?.includes('event-stream') === true) answer.destroy();
    else {
      for await (const part of answer.setEncoding('utf8')) {
        if (text.length < LONGEST_READ) text += part;
      }
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The page of Express, and what a program says of its own code. */
const LEAKS = [/<title>Error<\/title>/, /\bat .{1,200}:\d+:\d+\)?/, /node_modules|node:internal/];
const TYPES = /^(?:application\/(?:problem\+)?json|text\/html)\b/;

/** Everything that is wrong with an answer to a hostile request, whatever it was. */
export function faultsOf({ status, headers, text }: HostileAnswer, secrets: readonly string[]) {
  const whole = JSON.stringify(headers) + text;
  const type = headers['content-type'] ?? '';
  return [
    // 503 with a problem document says: not now.
    ...(status >= 500 && !(status === 503 && type.includes('problem'))
      ? [`the status is ${status}`]
      : []),
    ...secrets.filter((secret) => whole.includes(secret)).map((secret) => `it tells ${secret}`),
    ...LEAKS.filter((leak) => leak.test(text)).map((leak) => `it tells ${leak}`),
    // The parser of Node itself answers 400 with nothing.
    ...(status >= 400 && text !== '' && !TYPES.test(type) ? [`an error is ${type}`] : []),
  ];
}

/**
 * What is wrong with the answers of a server's routes to hostile requests. Where only every fourth is
 * sent to a route, the routes after it get the others.
 */
export async function faultsOfRoutes(
  routes: readonly ListedRoute[],
  { port, secrets, every }: { port: number; secrets: readonly string[]; every: number },
): Promise<readonly string[]> {
  const client = new HostileClient(port);
  const faults: string[] = [];
  await Promise.all(
    routes.map(async ({ method, path }, at) => {
      const requests = requestsTo(method, path).filter((_, index) => (index + at) % every === 0);
      for (const hostile of requests) {
        const answer = await client.send(hostile);
        const of = `${hostile.method} ${hostile.path} ${JSON.stringify(hostile.headers)}`;
        faults.push(...faultsOf(answer, secrets).map((fault) => `${of}: ${fault}`));
      }
    }),
  );
  client.close();
  return faults;
}

/** A router of Express 5.3, as far as it lists its routes. */
interface ListedRouter {
  listRoutes(): readonly {
    readonly path: string | RegExp;
    readonly methods: readonly string[] | undefined;
    readonly router: ListedRouter | undefined;
  }[];
}

/** A route by its method and its path, with `:name` where a segment varies. */
interface ListedRoute {
  readonly method: string;
  readonly path: string;
}

/** The routes of those routers that are mounted in no other, and of all that are mounted in them. */
export function routesOfApps(routers: readonly unknown[]): readonly ListedRoute[] {
  const all = new Set(routers as readonly ListedRouter[]);
  const mounted = new Set(
    [...all].flatMap((router) => router.listRoutes()).map((one) => one.router),
  );
  return [...all]
    .filter((router) => !mounted.has(router))
    .flatMap((router) => routesBelow('', router));
}

function routesBelow(mount: string, router: ListedRouter): readonly ListedRoute[] {
  return router.listRoutes().flatMap(({ path: own, methods = [], router: inner }) => {
    const path = `${mount}${String(own)}`.replaceAll(/\/{2,}/g, '/');
    if (inner !== undefined) return routesBelow(path.replace(/\/$/, ''), inner);
    return methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path }));
  });
}
