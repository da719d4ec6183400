import { createClient, swap } from '@openrfq/sdk'
import { connectStellar, stellarPayer } from '@openrfq/sdk/stellar'

const baseUrl = 'http://127.0.0.1:8080' // a sandbox
const { accounts, chains, tokens } = await (await fetch(`${baseUrl}/sandbox`)).json()
const [stellar, home] = ['stellar', 'evm'].map((family) =>
  chains.find(({ chainType }) => chainType === family),
)
const [payer, recipient] = ['stellar', 'evm'].map((family) =>
  accounts.find(({ chainType }) => chainType === family),
)
const usdcOf = ({ chainId }) => tokens.find((token) => token.chainId === chainId && token.symbol === 'USDC')

const network = {
  rpcUrl: stellar.rpcUrl,
  passphrase: stellar.networkPassphrase,
  assets: [usdcOf(stellar).stellar],
}
const { status } = await swap({
  client: createClient({ baseUrl }),
  payer: stellarPayer(await connectStellar(payer.privateKey, network)),
  fromChain: stellar.chainId,
  fromToken: usdcOf(stellar).address,
  toChain: home.chainId,
  toToken: usdcOf(home).address,
  amount: 250_000_000n,
  recipient: recipient.address,
  guards: { maximumLossBps: 100 },
  onProgress: ({ step }) => console.log(step),
})
console.log(status?.state, status?.output?.amount)
