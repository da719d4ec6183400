/** A wallet that announces itself by EIP-6963 and passes requests on to a node that signs. */
export const evmWalletScript = (rpcUrl: string, address: string): string => `
  let id = 0
  const ask = async (method, params = []) => {
    const answer = await fetch(${JSON.stringify(rpcUrl)}, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    })
    const { result, error } = await answer.json()
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return result
  }
  const request = async ({ method, params }) => {
    window.asked = [...(window.asked ?? []), method]
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [${JSON.stringify(address)}]
    return method === 'wallet_switchEthereumChain' ? null : ask(method, params)
  }
  const detail = Object.freeze({
    info: { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon: 'data:,', rdns: 'dev.test' },
    provider: { request, on: () => {}, removeListener: () => {} },
  })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
`
