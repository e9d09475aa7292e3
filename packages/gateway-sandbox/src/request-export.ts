import { STATUS_CODES } from 'node:http';
import { redacted, redactReply } from './redaction.ts';
import type { LoggedRequest } from './request-log.ts';

/** Requests as an HTTP archive (HAR 1.2), for a browser's network panel and other viewers. */
export function harOf(
  requests: readonly { readonly entry: LoggedRequest; readonly reply: unknown }[],
  { url, version }: { readonly url: string; readonly version: string },
): object {
  const creator = { name: 'pay-gateway-sandbox', version };
  return {
    log: {
      version: '1.2',
      creator,
      entries: requests.map(({ entry, reply }) => harEntry(entry, reply, url)),
    },
  };
}

function harEntry(entry: LoggedRequest, reply: unknown, url: string): object {
  const { at, durationMs, status, decidedBy, tier, faults } = entry;
  return {
    startedDateTime: at,
    time: durationMs,
    request: harRequest(entry, url),
    response: harResponse(status, redactReply(reply)),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: [`decided by ${decidedBy}`, tier, ...faults].join(' · '),
  };
}

function harRequest({ method, path, request, operation }: LoggedRequest, url: string): object {
  const isQuestion = method === 'GET';
  const parameters = Object.entries(request).flatMap(([name, value]) =>
    isQuestion && value !== null ? [{ name, value: String(value) }] : [],
  );
  const pairs = parameters.map(({ name, value }): [string, string] => [name, value]);
  const query = new URLSearchParams(pairs).toString();
  const text = JSON.stringify(request);
  const hasBody = !isQuestion && operation !== null;
  return {
    method,
    url: url + path + (query === '' ? '' : `?${query}`),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: hasBody ? [{ name: 'content-type', value: 'application/json' }] : [],
    queryString: parameters,
    ...(hasBody ? { postData: { mimeType: 'application/json', text } } : {}),
    headersSize: -1,
    bodySize: -1,
  };
}

/** Status 0: the caller saw none, because a fault broke the connection. */
function harResponse(status: number | null, body: unknown): object {
  const text = body === null ? '' : JSON.stringify(body);
  return {
    status: status ?? 0,
    statusText: STATUS_CODES[status ?? 0] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  };
}

/**
 * A request as a curl command. The credential comes from the shell, and fields that were not stored
 * appear as `<name>`, to be filled in.
 */
export function curlOf({ method, path, operation, request }: LoggedRequest, url: string): string {
  const fields = Object.entries(request).map(
    ([name, value]) => [name, value === redacted ? `<${name}>` : value] as const,
  );
  const credential = path.includes('/merchant/')
    ? `-H "authorization: Bearer $PORTAL_TOKEN"`
    : `-H "x-api-key: $GATEWAY_API_KEY"`;
  const lines = [`curl -X ${method}`, credential];
  if (method === 'GET') {
    const parameters = fields.map(([name, value]): [string, string] => [name, String(value)]);
    const query = new URLSearchParams(parameters).toString();
    lines.push(quoted(url + path + (query === '' ? '' : `?${query}`)));
    return lines.join(' \\\n  ');
  }
  if (operation !== null) {
    lines.push(`-H 'content-type: application/json'`);
    lines.push(`--data ${quoted(JSON.stringify(Object.fromEntries(fields)))}`);
  }
  lines.push(quoted(url + path));
  return lines.join(' \\\n  ');
}

/** Any text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
