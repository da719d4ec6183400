// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title An ERC-20 whose issuer names its minters, pauses it, refuses accounts and caps its supply.
/// @dev For tests only: anybody is the issuer.
contract IssuedToken is ERC20("Issued Token", "ISSUED") {
    mapping(address account => bool) private _isMinter;
    mapping(address account => bool) private _isRefused;
    bool private _isPaused;
    uint256 private _cap = type(uint256).max;

    function setMinter(address account, bool isMinter) external {
        _isMinter[account] = isMinter;
    }

    function setRefused(address account, bool isRefused) external {
        _isRefused[account] = isRefused;
    }

    function setPaused(bool isPaused) external {
        _isPaused = isPaused;
    }

    function setCap(uint256 cap) external {
        _cap = cap;
    }

    function mint(address account, uint256 amount) external {
        require(_isMinter[msg.sender], "IssuedToken: no minter");
        _mint(account, amount);
    }

    function burn(address account, uint256 amount) external {
        require(_isMinter[msg.sender], "IssuedToken: no minter");
        _burn(account, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!_isPaused, "IssuedToken: paused");
        require(!_isRefused[to], "IssuedToken: refused");
        super._update(from, to, amount);
        require(totalSupply() <= _cap, "IssuedToken: above the cap");
    }
}
