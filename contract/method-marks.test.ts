import { expect, it } from 'vitest';
import { methodMarks as ofHostedPage } from '../packages/gateway-sandbox/src/pages/hosted/method-marks.ts';
import { methodMarks as ofButton } from '../packages/widget/src/method-marks.ts';

it('the button and the hosted page of the sandbox draw the same marks', () => {
  expect([...ofHostedPage.keys()]).toEqual(['mada', 'visa', 'mastercard', 'apple-pay']);
  expect([...ofHostedPage]).toEqual([...ofButton]);
});
