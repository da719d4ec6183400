import { TransferStatus, useQuotes } from '@openrfq/react'
import { createClient, swap } from '@openrfq/sdk'
import { injectedPayer } from '@openrfq/sdk/evm'
import { useState } from 'react'

const client = createClient({ baseUrl: 'http://127.0.0.1:8080' })

export const App = ({ request, wallet }) => {
  const { quotes } = useQuotes(client, request)
  const [quoteId, setQuoteId] = useState()
  const onProgress = ({ step, started }) => step === 'started' && setQuoteId(started.quoteId)
  const pay = async () => swap({ ...request, client, payer: await injectedPayer(wallet), onProgress })
  if (quoteId !== undefined) return <TransferStatus client={client} quoteId={quoteId} />
  return <button type="button" onClick={pay}>Receive {quotes?.[0]?.output.amount ?? '…'}</button>
}
