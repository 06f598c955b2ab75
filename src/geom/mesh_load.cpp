#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>
#include <cmath>

#include "base/error.h"
#include "geom/mesh.h"

namespace phlo::geom {

std::shared_ptr<const ClosedMesh> load_mesh(const std::filesystem::path& file, double scale) {
    if (!(scale > 0) || !std::isfinite(scale)) throw InputError(fmt::format("{}: scale must be positive, got {}", file.string(), scale));
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) throw InputError(fmt::format("{}: no such mesh file", file.string()));

    // Only positions matter; leaving out everything else lets vertices that differ in normal or colour be joined again.
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                                            aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                                            aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS |
                                                            aiComponent_MATERIALS);
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const aiScene* scene = importer.ReadFile(
        file.string(), aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices);
    if (!scene) throw InputError(fmt::format("{}: cannot read the mesh: {}", file.string(), importer.GetErrorString()));

    field::TriangleMesh soup;
    for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
        const aiMesh& mesh = *scene->mMeshes[m];
        const int base = int(soup.points.size());
        for (unsigned v = 0; v < mesh.mNumVertices; ++v)
            soup.points.push_back(
                Vec3f(Vec3d(double(mesh.mVertices[v].x), double(mesh.mVertices[v].y), double(mesh.mVertices[v].z)) * scale));
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
            const aiFace& face = mesh.mFaces[f];
            if (face.mNumIndices == 3)
                soup.triangles.push_back({base + int(face.mIndices[0]), base + int(face.mIndices[1]), base + int(face.mIndices[2])});
        }
    }
    return std::make_shared<ClosedMesh>(std::move(soup), file.string());
}

}  // namespace phlo::geom
