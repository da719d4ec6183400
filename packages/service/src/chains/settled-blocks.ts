/**
 * How many blocks, slots or ledgers ago an account must have held an amount already for it to back a quote. More than
 * endpoints lag, so that funds moved from one account to the next are seen to have left the first before they count
 * for the second.
 */
export const SETTLED_BLOCKS = 8n
