import type { CustomerInput } from './schemas/input-fields.ts';

/** What of a customer must show in no error: the phone in each of its spellings, and the e-mail. */
export function personalSecrets(customer: CustomerInput, phone: string): readonly string[] {
  return [phone, phone.replace(/^0/, ''), customer.phone, customer.email ?? ''];
}

/** A field that is sent only if there is a text for it. */
export function presentText(
  name: string,
  text: string | undefined,
): Readonly<Record<string, string>> {
  return text === undefined || text.trim() === '' ? {} : { [name]: text };
}
