import { address, createSolanaRpc } from '@solana/kit'
import { withDeadline } from '../client/deadline.ts'

/**
 * Owner and token of a balance; the all-zero address is SOL.
 * @example
 * const query: SolanaBalanceQuery = {
 *   rpcUrl: 'https://api.mainnet-beta.solana.com',
 *   token: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
 *   owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
 * }
 */
export type SolanaBalanceQuery = { readonly rpcUrl: string; readonly token: string; readonly owner: string }

const RPC_TIMEOUT_MS = 60_000
const NATIVE_TOKEN = '1'.repeat(32)

/**
 * Reads the confirmed balance in base units: lamports for the all-zero address, else the sum over the owner's token
 * accounts of the mint. Throws kit's errors when the RPC does not answer.
 * @example
 * const lamportsOf = (owner: string) =>
 *   readSolanaBalance({ rpcUrl: 'https://api.mainnet-beta.solana.com', token: '1'.repeat(32), owner })
 */
export const readSolanaBalance = ({ rpcUrl, token, owner }: SolanaBalanceQuery): Promise<bigint> => {
  const rpc = createSolanaRpc(rpcUrl)
  const commitment = 'confirmed'
  return withDeadline({ timeoutMs: RPC_TIMEOUT_MS, signal: undefined }, async (abortSignal) => {
    if (token === NATIVE_TOKEN)
      return (await rpc.getBalance(address(owner), { commitment }).send({ abortSignal })).value
    const mint = { mint: address(token) }
    const { value } = await rpc
      .getTokenAccountsByOwner(address(owner), mint, { commitment, encoding: 'jsonParsed' })
      .send({ abortSignal })
    return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
  })
}
