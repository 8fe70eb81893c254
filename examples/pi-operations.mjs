// pi's own local backend as a module for `bash-backends conform --module`. Run it where pi is installed, on Node 22:
//   npm install @earendil-works/pi-coding-agent@1.6.0
//   bash-backends conform --module pi-operations.mjs
import { createLocalBashOperations } from "@earendil-works/pi-coding-agent";

export default () => createLocalBashOperations();
