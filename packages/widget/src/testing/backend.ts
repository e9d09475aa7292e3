import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import type { Answer, SeenRequest } from './script.ts';

/** One scripted address: its answers in turn (the last one repeats) and its requests. */
interface Place {
  readonly answers: Answer[];
  readonly requests: SeenRequest[];
}

/**
 * A real HTTP server for the elements' requests, inside the test runner's own server and so of the
 * page's origin. A test scripts an address by `PUT`, the element sends its requests to the address,
 * and the test reads them by `GET …?log`.
 */
export function testBackend(): Plugin {
  const places = new Map<string, Place>();
  return {
    name: 'widget-test-backend',
    configureServer(server) {
      server.middlewares.use('/__backend', (request, response) => {
        void serve(places, request, response);
      });
    },
  };
}

async function serve(
  places: Map<string, Place>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [name = '', query] = (request.url ?? '').split('?');
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (request.method === 'PUT') {
    places.set(name, { answers: JSON.parse(body) as Answer[], requests: [] });
    response.end();
    return;
  }
  const place = places.get(name);
  if (!place) {
    response.writeHead(404).end();
    return;
  }
  if (query === 'log') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(place.requests));
    return;
  }
  place.requests.push({ method: request.method ?? '', headers: request.headers, body });
  const answer = place.answers.length > 1 ? place.answers.shift() : place.answers[0];
  if (answer) await reply(answer, response);
}

async function reply(answer: Answer, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, body = '', delayMs = 0, fault } = answer;
  if (fault === 'hang') return;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  const cut = fault === 'cut-body';
  response.writeHead(status, {
    ...(typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
    'content-length': Buffer.byteLength(content) + (cut ? 10 : 0),
    ...headers,
  });
  response.write(content);
  if (cut) setTimeout(() => response.destroy(), 20);
  else response.end();
}
