import { createClient } from '@openrfq/sdk'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../shared/page.css'
import './transfer.css'
import { TransferPage } from './transfer-page.tsx'

/** The page lies at `<base>/t/<quoteId>`; the service at `<base>/v1`. */
const client = createClient({ baseUrl: new URL('..', location.href).href })
const quoteId = decodeURIComponent(location.pathname.split('/').at(-1) ?? '')
const search = new URLSearchParams(location.search)
const messageId = search.get('messageId') ?? undefined
const sourceChain = search.get('sourceChain') ?? undefined

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <TransferPage client={client} query={{ quoteId, messageId, sourceChain }} />
    </StrictMode>,
  )
