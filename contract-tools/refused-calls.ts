import { type DocumentName, operationsOf } from './documents.ts';
import type { Observer } from './observer.ts';

const json = { 'content-type': 'application/json' };

/** How a call is spoilt so that it gets a status, whatever its operation is. */
const spoilt: Readonly<Record<string, RequestInit>> = {
  // Prism reads this text and passes its content on: a brace alone, which is no JSON.
  400: { body: '"{"', headers: json },
  413: { body: JSON.stringify({ much: 'x'.repeat(70_000) }), headers: json },
  415: { body: 'text', headers: { 'content-type': 'text/plain' } },
};

/**
 * Calls every operation of a document once for each refusal that it lists and that does not depend
 * on what the operation does.
 *
 * @param base the address of Prism.
 * @param credentials the headers that an operation asks for.
 */
export async function makeRefusedCalls(
  name: DocumentName,
  base: string,
  seen: Observer,
  credentials: (credential: string | undefined) => Record<string, string>,
): Promise<void> {
  for (const { method, path, statuses, credential } of operationsOf(name)) {
    const known = credentials(credential);
    const send = async (init: RequestInit, headers: Record<string, string>) => {
      const url = base + path.replaceAll(/\{\w+\}/g, 'unknown');
      const response = await fetch(url, {
        ...init,
        method,
        headers: { ...headers, ...(init.headers as object) },
      });
      await response.text();
      seen.note(`${method} ${path}`, response);
    };
    for (const status of statuses) {
      if (status === '401') await send({}, {});
      if (status === '404') await send({}, { ...known, 'x-sandbox-tenant': 'nobody' });
      const init = spoilt[status];
      if (init !== undefined) await send(method === 'GET' ? {} : init, known);
    }
  }
}
