import {
  createKeyPairFromBytes,
  getBase58Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit'
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'

/** A wallet that announces itself by EIP-6963 and passes requests on to a node that signs. */
export const evmWalletScript = (rpcUrl: string, address: string): string => `
  let id = 0
  let sent = 0
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
    if (method === 'eth_sendTransaction') window.beforeSending?.(++sent)
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

/** A wallet that registers itself by the Wallet Standard, connects the address, and signs by the page's `signSolana`. */
export const solanaWalletScript = (address: string): string => `
  const account = {
    address: ${JSON.stringify(address)}, publicKey: new Uint8Array(32),
    chains: ['solana:mainnet', 'solana:localnet'], features: ['solana:signTransaction'],
  }
  const wallet = {
    version: '1.0.0', name: 'Test Solana Wallet', icon: 'data:image/svg+xml;base64,',
    chains: ['solana:mainnet', 'solana:localnet'], accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'standard:events': { version: '1.0.0', on: () => () => {} },
      'solana:signTransaction': {
        version: '1.0.0', supportedTransactionVersions: ['legacy', 0],
        signTransaction: (...inputs) => Promise.all(inputs.map(async ({ transaction, chain }) => ({
          signedTransaction: Uint8Array.from(await window.signSolana([...transaction], chain)),
        }))),
      },
    },
  }
  const callback = ({ register }) => register(wallet)
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  addEventListener('wallet-standard:app-ready', ({ detail }) => callback(detail))
`

/** Answers messages as Freighter's content script does, for the account, and signs by the page's `signStellar`. */
export const freighterScript = (address: string): string => `
  const answers = {
    REQUEST_CONNECTION_STATUS: async () => ({ isConnected: true }),
    REQUEST_ACCESS: async () => ({ publicKey: ${JSON.stringify(address)} }),
    SUBMIT_TRANSACTION: async ({ transactionXdr, networkPassphrase, accountToSign }) => {
      const signedTransaction = await window.signStellar(transactionXdr, networkPassphrase, accountToSign)
      return signedTransaction === null
        ? { apiError: { code: -4, message: 'The user rejected this request.' } }
        : { signedTransaction, signerAddress: accountToSign }
    },
  }
  addEventListener('message', async ({ source, data }) => {
    if (source !== window || data?.source !== 'FREIGHTER_EXTERNAL_MSG_REQUEST') return
    const answer = await answers[data.type](data)
    window.postMessage(
      { source: 'FREIGHTER_EXTERNAL_MSG_RESPONSE', messagedId: data.messageId, ...answer },
      location.origin,
    )
  })
`

/** Signs a transaction of Solana by a key, base58 of 64 bytes. */
export const signSolanaBytes = async (
  privateKey: string,
  bytes: readonly number[],
): Promise<readonly number[]> => {
  const keys = await createKeyPairFromBytes(getBase58Encoder().encode(privateKey))
  const transaction = getTransactionDecoder().decode(Uint8Array.from(bytes))
  return [...getTransactionEncoder().encode(await partiallySignTransaction([keys], transaction))]
}

/** Signs a transaction of Stellar by a secret. */
export const signStellarXdr = (secret: string, xdr: string, networkPassphrase: string): string => {
  const transaction = TransactionBuilder.fromXDR(xdr, networkPassphrase)
  transaction.sign(Keypair.fromSecret(secret))
  return transaction.toXDR()
}
