import { createRoot } from 'react-dom/client'
import { App } from './app.jsx'

const { accounts, chains } = await (await fetch('http://127.0.0.1:8080/sandbox')).json()
const [me, friend] = accounts

/** The sandbox's node signs for its accounts, as a wallet does; elsewhere this is `window.ethereum`. */
const wallet = {
  request: async ({ method, params = [] }) => {
    if (method === 'eth_requestAccounts') return [me.address]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await (await fetch(chains[0].rpcUrl, { method: 'POST', headers, body })).json()
    if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result
  },
}

const request = {
  fromChain: 'eip155:31337',
  fromToken: '0x4428E636F520f7cfbE340517A3d0240b10d0787b', // USDC
  toChain: 'eip155:31338',
  toToken: '0x7F53Df5eBd7a961eC934DBB5D678D996297278a0', // axlUSDC
  amount: 25_000_000n,
  orderType: 'EXACT_INPUT',
  sender: me.address,
  recipient: friend.address,
}
const root = document.body.appendChild(document.createElement('main'))
createRoot(root).render(<App request={request} wallet={wallet} />)
