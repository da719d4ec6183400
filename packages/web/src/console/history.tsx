import { transferSummary } from '@openrfq/react'
import type { Client, TransferAnswer } from '@openrfq/sdk'
import { useEffect, useState } from 'react'
import { named } from '../transfer/sides.tsx'
import type { Lists } from './trade.ts'

const SHOWN = 5
const AGAIN_MS = 5_000
const ADDRESS = /^[A-Za-z0-9]{1,128}$/

/** The last transfers of the payer, each with its page. */
export const History = ({
  client,
  lists,
  address,
}: {
  readonly client: Client
  readonly lists: Lists
  readonly address: string
}) => {
  const transfers = useTransfers(client, address)
  if (transfers.length === 0) return null
  return (
    <section className="card" aria-labelledby="history">
      <h2 id="history">Last transfers of this payer</h2>
      <ul className="history">
        {transfers.map(({ quote, status }) => {
          if (quote === null) return null
          const [input, output] = [named(lists, quote.input), named(lists, status.output ?? quote.output)]
          const { word, tone } = transferSummary(status, { source: input.chain, destination: output.chain })
          return (
            <li key={quote.quoteId}>
              <a href={`t/${encodeURIComponent(quote.quoteId)}`}>
                {input.shown} {input.symbol} on {input.chain} to {output.shown} {output.symbol} on{' '}
                {output.chain}
              </a>
              <span className={`pill ${tone}`}>{word}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The newest transfers, asked for every five seconds; a failed request changes nothing. */
const useTransfers = (client: Client, address: string): readonly TransferAnswer[] => {
  const [transfers, setTransfers] = useState<readonly TransferAnswer[]>([])
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const load = (): void => {
      client.getTransfers({ address, limit: SHOWN }, { signal }).then(
        (page) => setTransfers(page.transfers),
        () => undefined,
      )
    }
    setTransfers([])
    if (!ADDRESS.test(address)) return
    load()
    const timer = setInterval(load, AGAIN_MS)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [client, address])
  return transfers
}
