/** Time between EVM blocks in the sandboxes of tests, in milliseconds: a quarter of the users'. */
export const QUICK_BLOCK_MS = 250
