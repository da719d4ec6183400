import { createClient, swap } from '@openrfq/sdk'
import { connectSolana, solanaPayer } from '@openrfq/sdk/solana'

const baseUrl = 'http://127.0.0.1:8080' // a sandbox
const { accounts, attester, chains, tokens } = await (await fetch(`${baseUrl}/sandbox`)).json()
const [solana, home] = ['solana', 'evm'].map((family) => chains.find(({ chainType }) => chainType === family))
const [payer, recipient] = ['solana', 'evm'].map((family) =>
  accounts.find(({ chainType }) => chainType === family),
)
const usdcOf = ({ chainId }) =>
  tokens.find((token) => token.chainId === chainId && token.symbol === 'USDC').address

const { status } = await swap({
  client: createClient({ baseUrl }),
  payer: solanaPayer(await connectSolana(payer.privateKey, solana.rpcUrl, solana.subscriptionsUrl)),
  fromChain: solana.chainId,
  fromToken: usdcOf(solana),
  toChain: home.chainId,
  toToken: usdcOf(home),
  amount: 25_000_000n,
  recipient: recipient.address,
  // Written down by you, not read from the service: a program acts with the signer's authority, and the attester may give
  // the deposit away.
  guards: { contracts: { [solana.chainId]: [solana.contracts.escrowProgram] }, attesters: [attester] },
  onProgress: ({ step }) => console.log(step),
})
console.log(status?.state, status?.output?.amount)
