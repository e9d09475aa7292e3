import { notKept } from './redaction.ts';
import type { LoggedRequest } from './request-log.ts';

/**
 * A request as a curl command. The credential comes from the shell, and what was not kept stands
 * as `<its name>`, to be filled in.
 */
export function curlOf(
  { method, path, operation, request }: LoggedRequest,
  { url, credential }: { readonly url: string; readonly credential: 'apiKey' | 'portal' },
): string {
  const fields = Object.entries(request).map(
    ([name, value]) => [name, value === notKept ? `<${name}>` : value] as const,
  );
  const lines = [`curl -X ${method}`];
  lines.push(
    credential === 'apiKey'
      ? `-H "x-api-key: $GATEWAY_API_KEY"`
      : `-H "authorization: Bearer $PORTAL_TOKEN"`,
  );
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

/** One word of a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
