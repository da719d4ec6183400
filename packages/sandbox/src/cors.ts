/** Lets pages of any origin call a node of the sandbox, as public endpoints of real chains do. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
} as const
