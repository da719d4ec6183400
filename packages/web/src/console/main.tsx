import { createClient } from '@openrfq/sdk'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../shared/page.css'
import './console.css'
import { ConsolePage } from './console-page.tsx'

/** The page lies beside the service's `/v1`. */
const baseUrl = new URL('.', location.href).href
const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <ConsolePage client={createClient({ baseUrl })} baseUrl={baseUrl} />
    </StrictMode>,
  )
