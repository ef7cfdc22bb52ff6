// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the runtime that exist only so that programs link: they return
// cudaErrorNotSupported (801).
#define REFUSED(name) \
  extern "C" int name() { return 801; }
REFUSED(cudaGraphAddDependencies)
REFUSED(cudaGraphAddDependencies_v2)
REFUSED(cudaGraphAddEmptyNode)
REFUSED(cudaGraphAddKernelNode)
REFUSED(cudaGraphAddMemcpyNode)
REFUSED(cudaGraphAddMemsetNode)
REFUSED(cudaGraphAddHostNode)
REFUSED(cudaGraphAddChildGraphNode)
REFUSED(cudaGraphCreate)
REFUSED(cudaGraphDestroy)
REFUSED(cudaGraphExecDestroy)
REFUSED(cudaGraphInstantiate)
REFUSED(cudaGraphInstantiateWithFlags)
REFUSED(cudaGraphLaunch)
REFUSED(cudaGraphNodeGetType)
REFUSED(cudaGraphDebugDotPrint)
REFUSED(cudaStreamBeginCapture)
REFUSED(cudaStreamEndCapture)
REFUSED(cudaIpcGetMemHandle)
REFUSED(cudaIpcOpenMemHandle)
REFUSED(cudaIpcCloseMemHandle)
REFUSED(cudaCreateTextureObject)
REFUSED(cudaDestroyTextureObject)
REFUSED(cudaGetExportTable)
