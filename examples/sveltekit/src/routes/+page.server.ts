export const load = () => ({ allowedOrigins: process.env['HOSTED_PAGE_ORIGIN'] });
