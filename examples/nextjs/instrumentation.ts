/** Next.js calls it once when the server starts: it looks after shoppers who never come back. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { payments } = await import('./lib/payments.ts');
  payments().start();
}
