import { z } from 'zod'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import type { EvmChain } from './evm-chain.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

const Code = z.string().regex(/^0x(?:[0-9a-f]{2})*$/i)

/** Reads from one endpoint whether an account has code at the latest block. Source: Ethereum JSON-RPC. */
export const createCodeReader =
  ({ pool, deadlineMs }: Deps): EvmChain['hasCode'] =>
  (account) =>
    pool.read({
      calls: [{ method: 'eth_getCode', params: [account, 'latest'] }],
      parse: ([answer]) => expectResult(answer, Code) !== '0x',
      deadlineMs,
    })
