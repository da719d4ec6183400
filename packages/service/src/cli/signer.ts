import type { Chain } from '@openrfq/sdk'
import { familyOf } from './catalogue.ts'
import { nodeOf } from './chain-node.ts'
import type { Context } from './command.ts'
import type { FlagSpec } from './flags.ts'
import { numberedAccount } from './sandbox-account.ts'
import { parseAssetName } from './token-name.ts'
import { UsageError } from './usage-error.ts'
import { type ConnectedWallet, connectWallet } from './wallets/connect-wallet.ts'

/** The flags that select signer and node; without an account, RFQ_PRIVATE_KEY signs. */
export const SIGNER_FLAGS: readonly FlagSpec[] = [
  {
    name: 'account',
    value: 'number',
    help: "one of the sandbox's accounts of the source chain's family, from 0; default the key in RFQ_PRIVATE_KEY",
  },
  { name: 'rpc', value: 'address', help: "RPC of the source chain; default the sandbox's" },
  {
    name: 'subscriptions',
    value: 'address',
    help: "PubSub of a Solana source chain; default --rpc's address over WebSocket",
  },
]

/**
 * The wallet for the chain: a sandbox account of its family, or the key in RFQ_PRIVATE_KEY in the family's text form.
 * Throws UsageError.
 */
export const signerOf = async (context: Context, chain: Chain): Promise<ConnectedWallet> => {
  const { flags, sandbox } = context
  const asset = parseAssetName(flags.text('from-token') ?? '')
  const words = {
    rpcUrl: flags.text('rpc'),
    subscriptionsUrl: flags.text('subscriptions'),
    assets: asset === undefined ? [] : [asset],
  }
  const node = await nodeOf(chain, words, sandbox.find)
  const key = await keyOf(context, chain)
  try {
    return await connectWallet(node, key)
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}

const keyOf = async ({ flags, environment, sandbox }: Context, chain: Chain): Promise<string> => {
  const account = flags.text('account')
  if (account !== undefined) return numberedAccount(await sandbox.find(), familyOf(chain), account).privateKey
  const key = environment['RFQ_PRIVATE_KEY']
  if (key !== undefined && key !== '') return key
  throw new UsageError('no key to sign with: set RFQ_PRIVATE_KEY, or name a sandbox account with --account')
}
