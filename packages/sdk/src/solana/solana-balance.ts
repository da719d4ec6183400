import { address, createSolanaRpc } from '@solana/kit'
import type { BalanceQuery } from '../evm/evm-balance.ts'

const RPC_TIMEOUT_MS = 10_000
const NATIVE_TOKEN = '1'.repeat(32)

/**
 * The confirmed balance in base units: lamports for the all-zero address, else everything in the owner's accounts of
 * the mint. Throws kit's errors when the RPC does not answer.
 */
export const readSolanaBalance = async ({ rpcUrl, token, owner }: BalanceQuery): Promise<bigint> => {
  const rpc = createSolanaRpc(rpcUrl)
  const abortSignal = AbortSignal.timeout(RPC_TIMEOUT_MS)
  const commitment = 'confirmed'
  if (token === NATIVE_TOKEN)
    return (await rpc.getBalance(address(owner), { commitment }).send({ abortSignal })).value
  const { value } = await rpc
    .getTokenAccountsByOwner(address(owner), { mint: address(token) }, { commitment, encoding: 'jsonParsed' })
    .send({ abortSignal })
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
}
