/** The cookie by which a tester gets pages without scripts. */
export const SCRIPTS_COOKIE = 'shop_scripts';
