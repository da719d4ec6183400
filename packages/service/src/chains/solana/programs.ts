/** Programs present on every Solana cluster. Source: Agave, solana-program.com. */
export const PROGRAMS = {
  system: '11111111111111111111111111111111',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  memoV1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  sysvar: 'Sysvar1111111111111111111111111111111111111',
} as const

/** An SPL token of the catalogue; without `splProgram` it belongs to the program `token`. */
export type SolanaMint = {
  readonly address: string
  readonly decimals: number
  readonly splProgram?: 'token' | 'token-2022' | undefined
}

/** The address of the program that owns a mint. */
export const programOf = ({ splProgram }: SolanaMint): string =>
  splProgram === 'token-2022' ? PROGRAMS.token2022 : PROGRAMS.token
