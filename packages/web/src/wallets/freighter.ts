import { type BrowserWallet, nodeOf, type Signer } from './payer.ts'

const REQUEST = 'FREIGHTER_EXTERNAL_MSG_REQUEST'
const RESPONSE = 'FREIGHTER_EXTERNAL_MSG_RESPONSE'
/** Its answer to whether it is there; a person may take any time to sign. */
const CONNECTED_MS = 2_000
const NAME = 'Freighter'

type Answer = Readonly<Record<string, unknown>>

/** Asks the extension by a message to the window, which its content script answers. Source: @stellar/freighter-api 6. */
const ask = (
  type: string,
  body: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<Answer> =>
  new Promise((resolve) => {
    const messageId = Date.now() + Math.random()
    const listen = ({ source, data }: MessageEvent): void => {
      const answer = Object(data)
      // The extension spells it so.
      if (source !== window || answer.source !== RESPONSE || answer.messagedId !== messageId) return
      removeEventListener('message', listen)
      resolve(answer)
    }
    addEventListener('message', listen, signal === undefined ? {} : { signal })
    window.postMessage({ ...body, source: REQUEST, messageId, type }, location.origin)
  })

const refusalOf = ({ apiError }: Answer): string | undefined => {
  const { message } = Object(apiError)
  return apiError === undefined ? undefined : typeof message === 'string' ? message : 'it refused'
}

/** Calls back when Freighter is in the browser; returns the function that stops listening. */
export const discoverFreighter = (found: (wallet: BrowserWallet) => void): (() => void) => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), CONNECTED_MS)
  void ask('REQUEST_CONNECTION_STATUS', {}, controller.signal).then(({ isConnected }) => {
    if (isConnected === true && !controller.signal.aborted)
      found({ id: 'stellar freighter', family: 'stellar', name: NAME, connect })
  })
  return () => {
    clearTimeout(timer)
    controller.abort()
  }
}

const connect = async (): Promise<Signer> => {
  const answer = await ask('REQUEST_ACCESS')
  const { publicKey: address } = answer
  if (typeof address !== 'string' || address === '')
    throw new Error(`${NAME} shows no account: ${refusalOf(answer) ?? 'it has none'}`)
  return {
    kind: 'signer',
    family: 'stellar',
    name: NAME,
    address,
    open: async (chainId, findNode) => {
      const { stellarPayer } = await import('@openrfq/sdk/stellar')
      return stellarPayer({ address, signTransaction, ...nodeOf(findNode, chainId) })
    },
  }
}

const signTransaction = async (
  transactionXdr: string,
  { networkPassphrase, address }: { readonly networkPassphrase: string; readonly address: string },
) => {
  const answer = await ask('SUBMIT_TRANSACTION', {
    transactionXdr,
    networkPassphrase,
    accountToSign: address,
  })
  const { signedTransaction } = answer
  const refusal = refusalOf(answer)
  return {
    signedTxXdr: typeof signedTransaction === 'string' ? signedTransaction : '',
    ...(refusal === undefined ? {} : { error: { message: refusal } }),
  }
}
