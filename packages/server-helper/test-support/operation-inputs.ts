import { operationVectors } from '../../../contract/vectors.ts';

/** A card of the sandbox's list. */
export const aCard = {
  number: '5123450000000008',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '871',
  holderName: 'Noura Canary',
} as const;

type Inputs = Readonly<Record<string, unknown>>;

/** The first input of the contract's vectors, for each operation of a method. */
const inputsOf = (isOf: (method: string) => boolean): Inputs =>
  Object.fromEntries(
    operationVectors
      .filter(({ method }) => isOf(method))
      .map(({ operation, requests }) => [
        operation,
        requests.find(({ input }) => input !== undefined)?.input,
      ]),
  );

const vectorsOfChanges = inputsOf((method) => method !== 'GET');

/** An input that the client accepts, for each operation that changes something. */
export const changingInputs: Inputs = {
  ...vectorsOfChanges,
  sale: { ...(vectorsOfChanges['sale'] as object), card: aCard },
};

/** An input that the client accepts, for each operation that only asks. */
export const askingInputs: Inputs = {
  ...inputsOf((method) => method === 'GET'),
  retrieveStatus: { transactionId: 'f2d5b7c0-0000-4000-8000-000000000001' },
};

/** An input that the client accepts, for each operation. */
export const inputs = { ...changingInputs, ...askingInputs };
