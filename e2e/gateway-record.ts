import { expect, type APIRequestContext } from '@playwright/test';

/** How many payment links the gateway was asked for. */
export async function countPaymentLinks(
  request: APIRequestContext,
  sandboxUrl: string,
): Promise<number> {
  const answer = await request.get(
    `${sandboxUrl}/_sandbox/v1/requests?operation=createPaymentLink`,
  );
  expect(answer.status()).toBe(200);
  const { requests } = (await answer.json()) as { readonly requests: readonly unknown[] };
  return requests.length;
}
