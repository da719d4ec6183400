/** Lets pages of any origin call the sandbox's nodes, like public endpoints of real chains. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
} as const
