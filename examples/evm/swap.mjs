import { createClient, swap } from '@openrfq/sdk'
import { connectEvm, evmPayer } from '@openrfq/sdk/evm'

const client = createClient({ baseUrl: 'http://127.0.0.1:8080' }) // a sandbox: `npm ci && npm start` in a clone of OpenRFQ
const { accounts, chains } = await (await fetch('http://127.0.0.1:8080/sandbox')).json()
const { status } = await swap({
  client, payer: evmPayer(connectEvm(accounts[0].privateKey, chains[0].rpcUrl)), recipient: accounts[1].address,
  fromChain: 'eip155:31337', fromToken: '0x4428E636F520f7cfbE340517A3d0240b10d0787b', // USDC
  toChain: 'eip155:31338', toToken: '0x7F53Df5eBd7a961eC934DBB5D678D996297278a0', // axlUSDC
  amount: 25_000_000n, guards: { minimumOutput: 23_000_000n },
  onProgress: (progress) => console.log(progress.step),
})
console.log(status?.state, status?.output?.amount)
