import { send, type SandboxForTest } from './sandbox-for-test.ts';

/** A merchant at the dashboard without a browser: a cookie, pages and forms. */
export type Merchant = Awaited<ReturnType<typeof signInForTest>>;

/** Signs in with the portal's login, by default in staging. */
export async function signInForTest(sandbox: SandboxForTest, environment = 'staging') {
  const login = { ...sandbox.portal, environment };
  const signIn = await postForm(`${sandbox.url}/dashboard/sign-in`, '', login);
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const get = async (address: string): Promise<string> =>
    (await send(new URL(address, sandbox.url).href, { headers: { cookie } })).text;
  return {
    cookie,
    /** A page below `/dashboard/`. */
    page: (path: string) => get(`/dashboard/${path}`),
    /** A form below `/dashboard/`, as the page would send it; answers the page that follows. */
    submit: async (path: string, fields: Record<string, string> = {}) => {
      const answer = await postForm(`${sandbox.url}/dashboard/${path}`, cookie, fields);
      return get(answer.headers.get('location') ?? '/dashboard');
    },
  };
}

export function postForm(url: string, cookie: string, fields: Record<string, string>) {
  return send(url, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });
}
