import { connectEvm } from '../client/execute/connect-evm.ts'
import type { EvmWallet } from '../client/execute/evm.ts'
import { ExecutionError } from '../client/execute/execution-error.ts'
import type { Sandbox } from '../client/sandbox.ts'
import type { Chain } from '../core/chain.ts'
import type { Context } from './command.ts'
import type { FlagSpec } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** The flags that say who signs and through which node. */
export const SIGNER_FLAGS: readonly FlagSpec[] = [
  { name: 'account', value: 'number', help: "one of the sandbox's accounts, from 0" },
  { name: 'rpc', value: 'address', help: "RPC of the source chain; default the sandbox's" },
]

/** The wallet that signs on the chain: a sandbox account, or the key in RFQ_PRIVATE_KEY. Throws UsageError. */
export const signerOf = async (context: Context, chain: Chain): Promise<EvmWallet> => {
  if (chain.chainType !== 'evm')
    throw new ExecutionError('unsupported', `this command signs on EVM chains, not on ${chain.chainId}`)
  const sandbox = await context.client.getSandbox()
  const rpcUrl = context.flags.text('rpc') ?? sandboxRpc(sandbox, chain)
  if (rpcUrl === undefined) throw new UsageError(`--rpc is missing: the RPC address of ${chain.chainId}`)
  try {
    return connectEvm(keyOf(context, sandbox), rpcUrl)
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}

/** The sandbox's RPC address of the chain. */
export const sandboxRpc = (sandbox: Sandbox | undefined, chain: Chain): string | undefined =>
  sandbox?.chains.find(({ chainId }) => chainId === chain.chainId)?.rpcUrl

const keyOf = (context: Context, sandbox: Sandbox | undefined): string => {
  const account = context.flags.text('account')
  if (account === undefined) {
    const key = context.environment['RFQ_PRIVATE_KEY']
    if (key !== undefined && key !== '') return key
    throw new UsageError('nobody signs: set RFQ_PRIVATE_KEY, or name a sandbox account with --account')
  }
  if (sandbox === undefined) throw new UsageError('--account works with a sandbox only; set RFQ_PRIVATE_KEY')
  const keys = sandbox.accounts.filter(({ chainType }) => chainType === 'evm')
  const chosen = /^[0-9]{1,4}$/.test(account) ? keys[Number(account)] : undefined
  if (chosen !== undefined) return chosen.privateKey
  throw new UsageError(`--account is "${account}"; expected 0 to ${keys.length - 1}`)
}
