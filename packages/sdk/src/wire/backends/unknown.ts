import * as z from 'zod/mini'
import { BackendType } from '../backend-type.ts'
import { unknownVariant } from '../open.ts'

const anything = z.record(z.string(), z.unknown())

/** The backend of a quote that only a newer version of this package knows; `wireType` is what the service calls it. */
export const UnknownBackend = unknownVariant(
  BackendType.options,
  z.looseObject({ type: z.string(), name: z.string(), tracking: anything, metadata: anything }),
)

/** As `UnknownBackend`, in a status. */
export const UnknownStatusBackend = unknownVariant(
  BackendType.options,
  z.looseObject({ type: z.string(), name: z.string() }),
)
