import type { TransferSource } from '@openrfq/sdk'

/** A transfer's message on its source chain, and whether that can no longer be reverted. */
export type Followed = {
  readonly messageId: string
  readonly source: TransferSource
  readonly final: boolean
}
