// Written by `npm run artifacts` from attested/AttestedSettler.sol.
/** Escrow and fills of intents between an EVM chain and another family, proved by an attester. */
export const attestedSettlerAbi = [
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "attestationWindowSeconds_",
        "type": "uint32"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
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
    "inputs": [],
    "name": "FailedCall",
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
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "InsufficientBalance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "left",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "InsufficientGas",
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
        "name": "recipient",
        "type": "address"
      }
    ],
    "name": "InvalidRecipient",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "recipientTag",
        "type": "uint256"
      }
    ],
    "name": "InvalidTag",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidWindow",
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
        "name": "solver",
        "type": "address"
      }
    ],
    "name": "NotSolver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "NothingToWithdraw",
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
        "name": "recipient",
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
    "inputs": [
      {
        "internalType": "uint32",
        "name": "openDeadline",
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
      }
    ],
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
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "internalType": "enum OrderStatus",
        "name": "status",
        "type": "uint8"
      }
    ],
    "name": "WrongStatus",
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
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "solver",
        "type": "address"
      }
    ],
    "name": "Declined",
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
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
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
        "name": "depositor",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "RefundCredited",
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
        "name": "depositor",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
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
        "name": "solver",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "ReleaseCredited",
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
        "name": "solver",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
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
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Withdrawn",
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
    "name": "attestationWindowSeconds",
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
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "creditOf",
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
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "decline",
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
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
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
          }
        ],
        "internalType": "struct AttestedOrder",
        "name": "order",
        "type": "tuple"
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
      }
    ],
    "name": "release",
    "outputs": [],
    "stateMutability": "nonpayable",
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
    "name": "statusOf",
    "outputs": [
      {
        "internalType": "enum OrderStatus",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "withdraw",
    "outputs": [],
    "stateMutability": "nonpayable",
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
        "name": "recipient",
        "type": "address"
      }
    ],
    "name": "withdrawTo",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const
