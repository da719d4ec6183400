// Written by `npm run artifacts` from settlers/AttestedSettler.sol.
/** Escrow and fills of intents between an EVM chain and another family, proved by an attester. */
export const attestedSettlerAbi = [
  {
    "inputs": [],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      }
    ],
    "name": "AlreadyFilled",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ECDSAInvalidSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "length",
        "type": "uint256"
      }
    ],
    "name": "ECDSAInvalidSignatureLength",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "s",
        "type": "bytes32"
      }
    ],
    "name": "ECDSAInvalidSignatureS",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "fillDeadline",
        "type": "uint32"
      }
    ],
    "name": "FillDeadlinePassed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "received",
        "type": "uint256"
      }
    ],
    "name": "InexactTransfer",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "account",
        "type": "bytes32"
      }
    ],
    "name": "InvalidAddress",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "fee",
        "type": "uint256"
      }
    ],
    "name": "InvalidFee",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "party",
        "type": "bytes32"
      }
    ],
    "name": "InvalidParty",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "payee",
        "type": "address"
      }
    ],
    "name": "InvalidPayee",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes",
        "name": "permission",
        "type": "bytes"
      }
    ],
    "name": "InvalidPermission",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      }
    ],
    "name": "InvalidSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tag",
        "type": "uint256"
      }
    ],
    "name": "InvalidTag",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NativeInput",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "attester",
        "type": "address"
      }
    ],
    "name": "NotAttester",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "depositor",
        "type": "address"
      }
    ],
    "name": "NotDepositor",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "filler",
        "type": "address"
      }
    ],
    "name": "NotFiller",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "payee",
        "type": "address"
      }
    ],
    "name": "NotPayee",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "payee",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "NothingToPay",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "openDeadline",
        "type": "uint32"
      }
    ],
    "name": "OpenDeadlinePassed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "PaymentRefused",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "refundAfter",
        "type": "uint32"
      }
    ],
    "name": "RefundTooEarly",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "WrongDeadlines",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "chain",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "settler",
        "type": "bytes32"
      }
    ],
    "name": "WrongDestination",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "internalType": "enum EscrowKind",
        "name": "kind",
        "type": "uint8"
      }
    ],
    "name": "WrongKind",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "chain",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "settler",
        "type": "bytes32"
      }
    ],
    "name": "WrongOrigin",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "given",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      }
    ],
    "name": "WrongValue",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "transaction",
        "type": "bytes32"
      }
    ],
    "name": "Attested",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "integrator",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "FeesPaid",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "filler",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "repayTo",
        "type": "bytes32"
      }
    ],
    "name": "Filled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "recipientTag",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "attester",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "indexed": false,
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "Open",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Refunded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "payee",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Released",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "MAXIMUM_ESCROW_SECONDS",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MINIMUM_INPUT_PER_FEE",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "PERMIT2",
    "outputs": [
      {
        "internalType": "contract IPermit2",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "chain",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "integrator",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "feesOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "recipientTag",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "attester",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
      },
      {
        "internalType": "bytes32",
        "name": "repayTo",
        "type": "bytes32"
      }
    ],
    "name": "fill",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "repayTo",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "transaction",
        "type": "bytes32"
      }
    ],
    "name": "fillDigestOf",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "recipientTag",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "attester",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "open",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "recipientTag",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "attester",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
      },
      {
        "internalType": "bytes",
        "name": "permission",
        "type": "bytes"
      }
    ],
    "name": "openFor",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "recipientTag",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "attester",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "orderIdOf",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "integrator",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "payFees",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "proofWindow",
    "outputs": [
      {
        "internalType": "uint32",
        "name": "",
        "type": "uint32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      }
    ],
    "name": "record",
    "outputs": [
      {
        "internalType": "enum EscrowKind",
        "name": "kind",
        "type": "uint8"
      },
      {
        "internalType": "bytes32",
        "name": "repayTo",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "recipientTag",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "attester",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "refund",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationChain",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "recipientTag",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "attester",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
      },
      {
        "internalType": "bytes32",
        "name": "transaction",
        "type": "bytes32"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "release",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const
