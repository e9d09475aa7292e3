import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'yaml';
import { root } from '../scripts/process/root.ts';

export const here = join(root, 'contract-tools');
export const cache = join(here, '.cache');

/** The two documents: the gateway's, and that which the sandbox answers about its control API. */
export const documents = {
  gateway: join(root, 'contract/gateway.openapi.yaml'),
  control: join(cache, 'control.openapi.yaml'),
};
export type DocumentName = keyof typeof documents;

/** An operation of a document and the statuses that it lists. */
export interface Listed {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly string[];
  readonly credential: string | undefined;
}

interface OpenApi {
  readonly security?: readonly object[];
  readonly paths: Record<
    string,
    Record<string, { readonly security?: readonly object[]; readonly responses: object }>
  >;
}

/** Every operation of a document. */
export function operationsOf(name: DocumentName): readonly Listed[] {
  const { paths } = yaml.parse(readFileSync(documents[name], 'utf8')) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [], responses }]) => ({
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(responses),
      credential: security.flatMap((one) => Object.keys(one))[0],
    })),
  );
}
