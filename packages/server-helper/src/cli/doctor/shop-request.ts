import { nameOf } from '../../errors.ts';
import type { ShopSettings } from '../shop-settings.ts';

/** What the shop answered. */
export interface ShopAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Empty when it is no JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
}

const ANSWER_WITHIN_MS = 8_000;
const MOST_CHARACTERS = 2_000_000;

/** An address of the running shop's payments router. */
export const shopAddress = ({ options, mountPath }: ShopSettings, path: string): string =>
  `${options.publicUrl.replace(/\/$/, '')}${mountPath}${path}`;

/** Sends the shop a request and follows no redirect. @returns why there is no answer, as a code. */
export async function ask(url: string, init: RequestInit = {}): Promise<ShopAnswer | string> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const response = await fetch(url, { redirect: 'manual', signal, ...init });
    const text = (await response.text()).slice(0, MOST_CHARACTERS);
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, type, text, json: objectOf(text) };
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    return nameOf(cause ?? error);
  }
}

/** Whether an answer is a problem of ours with this code. */
export const isProblem = (json: ShopAnswer['json'], code: string): boolean =>
  json['code'] === code && json['type'] === `docs/errors.md#${code}`;

function objectOf(text: string): ShopAnswer['json'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ShopAnswer['json']) : {};
  } catch {
    return {};
  }
}
