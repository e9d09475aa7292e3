import { AsyncLocalStorage } from 'node:async_hooks';
import { ContractDocument } from '../../../contract/contract-document.ts';
import { operations } from '../src/gateway/profile.ts';
import { type OperationName } from '../src/gateway/gateway-error.ts';
import type { GatewayClient, Transport, TransportAnswer, TransportRequest } from '../src/index.ts';

const contract = new ContractDocument();
const names = Object.keys(operations) as OperationName[];

/** The answers to the requests of one call, the last one last. */
const answersOfCall = new AsyncLocalStorage<TransportAnswer[]>();

/**
 * Holds each request against the contract before it leaves. A departure is no GatewayError, so that
 * it fails whichever test sent it.
 */
export function watchedTransport(transport: Transport): Transport {
  return {
    send: async (request) => {
      const faults = faultsOf(request);
      if (faults.length > 0) throw new Error(`a request departs: ${faults.join('; ')}`);
      const answer = await transport.send(request);
      if (!request.path.endsWith('/auth/login')) answersOfCall.getStore()?.push(answer);
      return answer;
    },
    close: () => transport.close(),
  };
}

/** Holds each answer that a method takes for a success against the contract. */
export function watchedClient(client: GatewayClient): GatewayClient {
  const watched: Record<string, unknown> = { ...client };
  for (const name of names) {
    const method = client[name] as (...given: unknown[]) => Promise<unknown>;
    watched[name] = (...given: unknown[]): Promise<unknown> =>
      answersOfCall.run([], async () => {
        const value = await method(...given);
        const { status = 0, body = '' } = answersOfCall.getStore()?.at(-1) ?? {};
        const json: unknown = body === '' || body === null ? undefined : JSON.parse(body);
        const faults = contract.answerFaults(name, status, json);
        if (faults.length === 0) return value;
        throw new Error(`${name} took an answer that departs: ${faults.join('; ')}`);
      });
  }
  return watched as unknown as GatewayClient;
}

/** Where a request departs from the operations that stand at its place. */
function faultsOf({ method, path, headers, body }: TransportRequest): readonly string[] {
  const { pathname, searchParams: query } = new URL(path, 'http://gateway.invalid');
  const relative = pathname.replace(/^\/v1/, '');
  const json: unknown = body === undefined ? undefined : JSON.parse(body);
  const request = { method, path: relative, query, headers, body: json };
  const atPlace = [...names, 'logIn'].filter((name) => isPlaceOf(name, method, relative));
  const faults = atPlace.map((name) => contract.requestFaults(name, request));
  if (faults.some((list) => list.length === 0)) return [];
  return faults[0] ?? [`${method} ${relative} is no operation`];
}

function isPlaceOf(name: string, method: string, path: string): boolean {
  const place = contract.placeOf(name);
  const pattern = new RegExp(`^${place.path.replace('{id}', '[^/]+')}$`);
  return place.method === method.toLowerCase() && pattern.test(path);
}
