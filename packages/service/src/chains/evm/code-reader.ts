import { z } from 'zod'
import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcCall } from '../rpc/json-rpc.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import type { EvmChain } from './evm-chain.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

const Code = z
  .string()
  .regex(/^0x(?:[0-9a-f]{2})*$/i)
  .toLowerCase()

const codeCall = (account: string): RpcCall => ({ method: 'eth_getCode', params: [account, 'latest'] })

/** Reads the code of accounts at the latest block. Source: Ethereum JSON-RPC. */
export const createCodeReader = ({ pool, deadlineMs }: Deps): Pick<EvmChain, 'hasCode' | 'codeAgreed'> => ({
  hasCode: (account) =>
    pool.read({
      calls: [codeCall(account)],
      parse: ([answer]) => expectResult(answer, Code) !== '0x',
      deadlineMs,
    }),
  codeAgreed: (account) => pool.agree({ work: (ask) => askFor(ask, codeCall(account), Code), deadlineMs }),
})
