import { type ActionProgress, evmChainNumberOf, type Quote, type StartedTransfer } from '@openrfq/sdk'
import type { Payer } from './payers.ts'
import type { Sandbox } from './sandbox.ts'

type Signing = Exclude<Payer, { kind: 'address' }>

/** What an execution needs beside the quote; `now` is the service's time. */
export type ExecutionInput = {
  readonly quote: Quote
  readonly payer: Signing
  readonly sandbox: Sandbox | undefined
  readonly now: number
  readonly onAction: (progress: ActionProgress) => void
}

/** Signs and sends a quote's actions by the payer. The libraries of a family are loaded when it is first used. */
export const execute = ({ payer, sandbox, ...execution }: ExecutionInput): Promise<StartedTransfer> =>
  payer.kind === 'injected' ? byWallet(payer, execution) : byKey(payer, sandbox, execution)

type Rest = Pick<ExecutionInput, 'quote' | 'now' | 'onAction'>

const byKey = async (
  { privateKey }: Extract<Payer, { kind: 'sandbox' }>,
  sandbox: Sandbox | undefined,
  execution: Rest,
): Promise<StartedTransfer> => {
  const chain = sandbox?.chains.find(({ chainId }) => chainId === execution.quote.input.chain)
  if (sandbox === undefined || chain === undefined) throw new Error('the sandbox has no such chain')
  const { rpcUrl, subscriptionsUrl, networkPassphrase: passphrase = '' } = chain
  if (chain.chainType === 'solana') {
    const { connectSolana, executeSolanaQuote } = await import('@openrfq/sdk/solana')
    return executeSolanaQuote({
      ...execution,
      ...(await connectSolana(privateKey, rpcUrl, subscriptionsUrl)),
    })
  }
  if (chain.chainType === 'stellar') {
    const { connectStellar, executeStellarQuote } = await import('@openrfq/sdk/stellar')
    const assets = sandbox.tokens.flatMap(({ chainId, stellar }) =>
      chainId === chain.chainId && stellar !== undefined ? [stellar] : [],
    )
    return executeStellarQuote({
      ...execution,
      ...(await connectStellar(privateKey, { rpcUrl, passphrase, assets })),
    })
  }
  const { connectEvm, executeEvmQuote } = await import('@openrfq/sdk/evm')
  return executeEvmQuote({ ...execution, ...connectEvm(privateKey, rpcUrl) })
}

const byWallet = async (
  { provider, address }: Extract<Payer, { kind: 'injected' }>,
  execution: Rest,
): Promise<StartedTransfer> => {
  const [{ createPublicClient, createWalletClient, custom, getAddress, toHex }, { executeEvmQuote }] =
    await Promise.all([import('viem'), import('@openrfq/sdk/evm')])
  const chainId = evmChainNumberOf(execution.quote.input.chain)
  if (chainId === undefined) throw new Error(`${execution.quote.input.chain} is no chain of this wallet`)
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: toHex(chainId) }] })
  const transport = custom(provider)
  const account = { address: getAddress(address), type: 'json-rpc' } as const
  return executeEvmQuote({
    ...execution,
    walletClient: createWalletClient({ account, transport }),
    publicClient: createPublicClient({ transport, pollingInterval: 1_000 }),
  })
}
