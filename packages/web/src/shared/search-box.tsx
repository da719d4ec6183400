import type { Client, TransferAnswer } from '@openrfq/sdk'
import { useState } from 'react'
import { shortId } from './text.ts'

const SOUGHT = /^[A-Za-z0-9_-]{1,256}$/

type Found =
  | { readonly kind: 'several'; readonly transfers: readonly TransferAnswer[] }
  | { readonly kind: 'said'; readonly text: string }

/** Finds a transfer by a hash, an id or an address and opens its page; lists the results if there are several. */
export const SearchBox = ({ client, base }: { readonly client: Client; readonly base: string }) => {
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found>()
  const pageOf = ({ status }: TransferAnswer): string => `${base}t/${encodeURIComponent(status.quoteId)}`
  const search = async (): Promise<void> => {
    const sought = text.trim()
    if (!SOUGHT.test(sought)) {
      setFound({ kind: 'said', text: 'Give a hash, a message id, an address or the id of a quote.' })
      return
    }
    try {
      const transfers = await client.searchTransfers(sought)
      const [first] = transfers
      if (first !== undefined && transfers.length === 1) location.assign(pageOf(first))
      else if (first !== undefined) setFound({ kind: 'several', transfers })
      else setFound({ kind: 'said', text: 'The service has seen no such transfer.' })
    } catch (error) {
      setFound({ kind: 'said', text: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <search className="search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void search()
        }}
      >
        <input
          className="field"
          type="search"
          aria-label="Find a transfer"
          placeholder="Hash, address or quote id"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setFound(undefined)
          }}
        />
      </form>
      {found === undefined ? null : (
        <div className="found card" role="status">
          {found.kind === 'said' ? (
            found.text
          ) : (
            <ul>
              {found.transfers.map((transfer) => (
                <li key={transfer.status.quoteId}>
                  <a href={pageOf(transfer)} className="mono">
                    {shortId(transfer.status.quoteId)}
                  </a>{' '}
                  <span className="quiet">
                    {transfer.quote?.createdAt.replace('T', ' ').replace('Z', ' UTC')}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </search>
  )
}
