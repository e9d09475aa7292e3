import type { CustomerInput } from './schemas/input-fields.ts';

/** What of a customer must show in no error: the phone in each of its spellings, and the e-mail. */
export function personalSecrets(customer: CustomerInput, phone: string): readonly string[] {
  return [phone, phone.replace(/^0/, ''), customer.phone, customer.email ?? ''];
}

/** A text if it says something; a field that is undefined is left out of the JSON. */
export function presentText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}
